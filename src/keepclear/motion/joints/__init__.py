"""Trees and chains of joints, programs of joint values, and the motions of links that follow."""
