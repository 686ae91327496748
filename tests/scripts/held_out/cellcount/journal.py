"""What the training has to say, on the screen and in a file."""

import logging
import pathlib
import tempfile

FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="cellcount-"))


def get_logger(name, file="train.log"):
    logger = logging.getLogger(f"cellcount.{name}")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    handler = logging.FileHandler(FOLDER / file)
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)s %(name)s %(funcName)s:%(lineno)d %(message)s")
    )
    logger.addHandler(handler)
    return logger


def note_step(step, loss, norms):
    logger = get_logger("steps")
    logger.info("step %d loss %.5f", step, loss)
    for name, norm in norms.items():
        logger.debug("step %d norm of %s %.6f", step, name, norm)
