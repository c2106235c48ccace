"""Model files: fitted models that leave the process without pickle."""

from nonet._base.errors import ModelFileError
from nonet.persist.description import ModelFileDescription, describe_file
from nonet.persist.model_file import load, save

__all__ = ["ModelFileDescription", "ModelFileError", "describe_file", "load", "save"]
