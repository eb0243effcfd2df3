"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=bool(os.environ.get("CI"))
)
settings.load_profile("ci")


@pytest.fixture(autouse=True)
def _private_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every index of a test out of the user's cache."""
    monkeypatch.setenv("QUATRAIN_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small Python project with a caller, a callee, a test, documentation and a vendored copy."""
    files = {
        "shop/__init__.py": "from shop.cart import Cart\n",
        "shop/cart.py": '''"""The shopping cart."""

from shop.money import add_tax


class Cart:
    """Holds what a customer wants to buy."""

    def __init__(self):
        self.items = []

    def total_price(self):
        """Return the sum of all prices, tax included."""
        return add_tax(sum(item.price for item in self.items))

    def checkout(self, gateway):
        """Pay for everything in the cart."""
        amount = self.total_price()
        if not amount:
            raise ValueError("cart is empty: nothing to pay")
        return gateway.charge(amount)
''',
        "shop/money.py": '''"""Arithmetic with money."""

TAX_RATE = 0.2


def add_tax(amount):
    """Add value added tax to an amount."""
    return amount * (1 + TAX_RATE)
''',
        "shop/login.py": '''"""Authentication of customers."""


def authenticate(name, password):
    """Check the password of a user and start a session."""
    if not verify_password(name, password):
        raise PermissionError("EBADLOGIN: ECONNREFUSED")
    return {"user": name}


def verify_password(name, password):
    """Compare the stored hash of a user with the hash of a password."""
    return hash(password) == hash(name)
''',
        "tests/test_cart.py": """from shop.cart import Cart


def test_total_price():
    assert Cart().total_price() == 0
""",
        "vendor/cart.py": "class Cart:\n    def total_price(self):\n        return 0\n",
        "README.md": "# Shop\n\nHow to check out a cart and pay.\n",
    }
    for name, text in files.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "project"
