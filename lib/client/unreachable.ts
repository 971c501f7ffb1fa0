/** The sentence for a request that got no answer. */
export const unreachable =
  'Callboard cannot be reached. Check that it is running and that you are online, then try again.';
