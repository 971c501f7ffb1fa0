/**
 * What is due until this time is due now. A column keeps whole milliseconds and rounds, so a time that was stored as `now()` may lie
 * half a millisecond ahead.
 */
export const dueNowSql = `now() + interval '1 millisecond'`;
