"""Draws the letters of the social picture once, from the typeface that Pillow brings (Aileron, CC0).

    pip install pillow && python docs/make_letters.py

The result ships with the package, so that sites need no library for pictures and look alike everywhere.
"""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from supportagentbench.site.letters import FILE, HEIGHT

SIZE = 120
"""The size of the type; it is drawn smaller by whole factors."""

CHARACTERS = [chr(code) for code in (*range(32, 127), *range(161, 256)) if code != 173] + list("–—‘’“”…•€")


def main() -> None:
    font = ImageFont.load_default(SIZE)
    columns, widths = [], []
    for character in CHARACTERS:
        width = round(font.getlength(character))
        picture = Image.new("L", (width, HEIGHT), 0)
        ImageDraw.Draw(picture).text((0, SIZE), character, fill=255, font=font, anchor="ls")
        columns.append(np.asarray(picture) >> 4)
        widths.append(width)
    np.savez_compressed(
        FILE,
        letters=np.array("".join(CHARACTERS)),
        widths=np.array(widths),
        ink=np.concatenate(columns, axis=1),
    )


if __name__ == "__main__":
    main()
