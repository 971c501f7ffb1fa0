import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Reads what is on the screen under a key again, because it has changed. A reading that is under way may have begun before the change. TanStack
 * Query would take its answer for the new one if it is the first, so it is given up.
 */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
