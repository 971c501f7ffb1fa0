/** A link to a run always ends. This is the longest time, 90 days. */
export const longestShareHours = 2_160;
export const usualShareHours = 168;
/** A run has at most so many links at a time. */
export const mostShareLinks = 50;
