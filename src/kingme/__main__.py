"""``python -m kingme`` is the ``kingme`` command."""

from kingme_command import main

if __name__ == "__main__":
    main()
