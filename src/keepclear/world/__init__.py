"""Named objects, and the device that checks them while the caller goes on."""
