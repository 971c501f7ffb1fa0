import { get, RequestError } from './ask';
import { runAddress } from './run-address';

/** Asks whether the link of this page opens nothing any more. Without an answer it is taken to do so still. */
export async function isLinkOver(runId: string): Promise<boolean> {
  try {
    await get(runAddress(runId));
    return false;
  } catch (error) {
    return error instanceof RequestError && (error.status === 401 || error.status === 404);
  }
}
