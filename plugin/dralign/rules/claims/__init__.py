"""Rules that have nothing to say where no claim, class or slice is in sight: one file each."""
