"""Share: the pictures that chats and feeds show next to a link to a page."""
