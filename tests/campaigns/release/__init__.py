"""The release: the wheel, the source archive and the image, built and run away from the checkout."""
