"""The pages that check a game: causes under node, and both pages in a browser."""
