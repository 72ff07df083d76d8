"""The question about two moving bodies, and what is known of them at an instant of their motions."""
