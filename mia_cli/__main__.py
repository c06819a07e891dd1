"""Entry point of ``mia`` and ``python -m mia_cli``."""

from __future__ import annotations


def main() -> None:
    """Run the command line in ``sys.argv`` and exit with the code of the contract."""
    from mia_cli.cli.app import app

    app()


if __name__ == "__main__":
    main()
