"""What names, passwords and e-mail addresses an account may have."""

from __future__ import annotations

import itertools
import re

from kingme.errors import Refusal

__all__ = [
    "LONGEST_PASSWORD",
    "NAME",
    "SHORTEST_PASSWORD",
    "check_email",
    "check_name",
    "check_password",
    "is_name",
]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}", re.ASCII)
EMAIL = re.compile(r"[^\s@\x00-\x1f\x7f]+@[^\s@\x00-\x1f\x7f]+\.[^\s@\x00-\x1f\x7f]+")
LONGEST_EMAIL = 254
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200

RESERVED_WORDS = """
    account accounts admin administrator anonymous api bank black bot checkers computer dark
    draughts engine everybody everyone game games help home host info kingme leaders light lobby
    login logout me mod moderator moderators mods nobody null official operator owner player
    players register root rooms security server somebody staff support sysadmin system team
    undefined user users visitor webmaster white you
"""
RESERVED = frozenset(RESERVED_WORDS.split())
"""Names that would pass for the house, for a part of it, or for nobody at all."""

COMMON_WORDS = """
    00000000 0123456789 1029384756 11111111 1111111111 11223344 12121212 123123123 12341234
    123456789 12345678 1234567890 123456789a 12345qwert 123654789 123qweasd 1234qwer 12qwaszx
    1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 22222222 31415926 55555555 66666666 77777777 789456123
    87654321 88888888 987654321 9876543210 99999999 a1234567 a12345678 a123456789 aa123456
    aa12345678 abc12345 abc123456 abcd1234 abcdefgh abcdefghi access14 admin123 alexande alexander
    apple123 asdasdasd asdf1234 asdfasdf asdfghjk asdfghjkl azerty123 babygirl babygirl1 barcelona
    baseball baseball1 basketball benjamin blink182 brooklyn butterfly caroline changeme charlie1
    charlotte checkers cheyenne chocolate christian christine christopher cocacola computer
    creative danielle dinosaur dolphins draughts dragon123 drowssap einstein elephant elizabeth
    estrella everton1 external fernando firebird football football1 football123 forever1 freedom1
    garfield gateway1 goldfish gregory1 hardcore hello123 helloworld heather1 hunter123 iloveyou
    iloveyou1 iloveyou2 infinity internet jennifer jessica1 johncena jonathan jordan23 juventus
    kimberly kingking kingme123 kristina leonardo letmein1 letmein123 linkedin liverpool lovelove
    loveyou1 manchester marijuana marina123 marlboro martinez maverick melissa1 mercedes metallica
    michael1 michelle microsoft midnight monkey12 monkey123 mustang1 myspace1 naruto123 newyork1
    nicholas nintendo nothing1 november passw0rd password password1 password12 password123
    password1234 patricia peanut12 platinum playboy1 pokemon1 pokemon123 portugal princess
    princess1 princesa q1w2e3r4 q1w2e3r4t5 qazwsxedc qazwsx123 qq123456 qqwwee123 qwer1234 qwerasdf
    qwerqwer qwerty12 qwerty123 qwerty1234 qwertyui qwertyuiop raiders1 rammstein realmadrid
    rockstar1 samantha samsung1 sandrine scorpion secret123 security september shannon1 skywalker
    slipknot snickers snowball softball spiderman spongebob starcraft starwars starwars1 steelers
    steven12 stephanie sunshine sunshine1 superman superman1 swordfish tequiero test1234 testtest
    thunder1 tinkerbell tottenham trustno1 undertaker valentina valentine vanessa1 veronica victoria
    vladimir wall.e123 welcome1 welcome123 westside whatever william1 winston1 xxxxxxxx yankees1
    yellow12 yugioh12 zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123 zxcvbnma
"""
COMMON = frozenset(COMMON_WORDS.split())
"""The passwords that are tried first, of those that are long enough."""


def is_name(text: str) -> bool:
    """Whether somebody could have this name."""
    return NAME.fullmatch(text) is not None


def check_name(name: str) -> str:
    """The name, or a refusal: ``bad_name``, ``name_taken``."""
    if not 3 <= len(name) <= 20:
        raise Refusal("bad_name", "A name has 3 to 20 characters.")
    if not is_name(name):
        message = "A name is made of the letters A to Z, digits, - and _, and begins with no sign."
        raise Refusal("bad_name", message)
    plain = name.lower().replace("-", "").replace("_", "")
    if plain in RESERVED or plain.startswith(("guest", "kingme")):
        raise Refusal("name_taken", f"The name {name} is kept by the house.")
    return name


def check_password(password: str, name: str) -> None:
    """Refuse ``weak_password``: too short, too long, or among the first that anybody tries."""
    if len(password) < SHORTEST_PASSWORD:
        raise Refusal("weak_password", f"A password has at least {SHORTEST_PASSWORD} characters.")
    if len(password) > LONGEST_PASSWORD:
        raise Refusal("weak_password", f"A password has at most {LONGEST_PASSWORD} characters.")
    plain = password.lower()
    if plain in COMMON or len(set(plain)) < 3 or _in_a_row(plain):
        raise Refusal("weak_password", "This password is among the first that are guessed.")
    if name.lower() in plain and len(plain) - len(name) < SHORTEST_PASSWORD // 2:
        raise Refusal("weak_password", "A password must say more than your name.")


def check_email(email: str | None) -> str | None:
    """An e-mail address without blanks around it, None where it is empty, or ``bad_email``."""
    email = (email or "").strip()
    if not email:
        return None
    if len(email) > LONGEST_EMAIL or not EMAIL.fullmatch(email):
        raise Refusal("bad_email", "This does not look like an e-mail address.")
    return email


def _in_a_row(text: str) -> bool:
    """Whether every character follows the one before it, up or down."""
    steps = {ord(after) - ord(before) for before, after in itertools.pairwise(text)}
    return steps in ({1}, {-1})
