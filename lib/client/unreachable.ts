/** The sentence for a request that got no answer. */
export const unreachable = 'Callboard does not answer. Check that it is running, then try again.';
