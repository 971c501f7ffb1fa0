import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { anyResult } from './any-result';

/** A server has so long to answer that it has cancelled a task. A connection that closes waits for it. */
const cancelMs = 2_000;
/** So many cancelled tasks are remembered, so that they are not cancelled again. */
const mostRemembered = 1_000;

/** The tasks of one server that were cancelled in this process. */
export class TaskCancels {
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly ids = new Set<string>();

  /** Asks the server to cancel a task. Nobody waits for the answer but `settled`. */
  cancel(client: Client, taskId: string): void {
    const [oldest] = this.ids;
    if (this.ids.size >= mostRemembered && oldest !== undefined) this.ids.delete(oldest);
    this.ids.add(taskId);
    const request = { method: 'tasks/cancel', params: { taskId } };
    const work = client.request(request, anyResult, { timeout: cancelMs }).catch(() => undefined);
    this.underWay.add(work);
    void work.finally(() => this.underWay.delete(work));
  }

  has(taskId: string): boolean {
    return this.ids.has(taskId);
  }

  /** Resolves when every server has answered, or its time is up. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
