"""``python -m kingme`` is the ``kingme`` command."""

from kingme.cli import main

if __name__ == "__main__":
    main()
