/** Options of transactions that wait for a lock of a project, in milliseconds. The wait counts as part of the transaction. */
export const writing = { timeout: 60_000, maxWait: 15_000 };
