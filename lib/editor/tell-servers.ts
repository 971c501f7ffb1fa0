import type { KnownServers, ServerNews } from '@/lib/base/known-servers';
import type { EditorServices } from './services';

/** News that wait for the server are at most so many. The oldest are dropped. */
const mostWaiting = 500;

/**
 * Sends news of servers, one request at a time and in their order, and hands over what the server knows then. News without an
 * answer are sent again with the next ones.
 */
export function createTeller(
  services: Pick<EditorServices, 'readServers' | 'tellServers'>,
  adopt: (known: KnownServers) => void,
) {
  let waiting: readonly ServerNews[] = [];
  let isBusy = false;

  async function send(): Promise<void> {
    while (!isBusy && waiting.length > 0) {
      const sent = new Set(waiting);
      isBusy = true;
      const told = await services.tellServers([...sent]);
      isBusy = false;
      if (!told.ok && told.again) return;
      waiting = waiting.filter((one) => !sent.has(one));
      // Newer news are in the answer to the next request.
      if (told.ok && waiting.length === 0) adopt(told.known);
    }
  }

  return {
    async tell(news: readonly ServerNews[]): Promise<void> {
      waiting = [...waiting, ...news].slice(-mostWaiting);
      await send();
    },
    /** Reads what others have found out, after sending what waits. */
    async load(): Promise<void> {
      if (waiting.length > 0) return await send();
      const known = await services.readServers();
      if (known !== undefined && waiting.length === 0) adopt(known);
    },
  };
}
