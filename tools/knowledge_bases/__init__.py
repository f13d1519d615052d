"""MMAPG's knowledge bases: texts and pictures searched by radius."""
