"""One DRA driver per file: DRIVER = DriverProfile(...)."""
