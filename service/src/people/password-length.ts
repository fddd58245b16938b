/** Longest and shortest password; a long one costs nothing but the time to hash it. */
export const PASSWORD_LENGTH = { least: 12, most: 128 };
