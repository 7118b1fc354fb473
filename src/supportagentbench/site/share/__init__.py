"""Share: the pictures that chats and feeds show beside a link to a page."""
