"""Every method with one strong reader on the same questions, its replies kept so that nobody has to be asked again."""
