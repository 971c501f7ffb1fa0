import { describe, expect, it } from 'vitest';
import type { ToolPort } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { ended, peopleDesk } from '@/lib/testing/people-desk';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const parsed = graphOf('lead', { settings: { approvals: { rules: [{ tools: ['bank__*'], effect: 'ask' }] } } });

/** One run over several executions. In each the server is up, down, or up without its tool. */
function runs({ asksItself = false, graph = parsed } = {}) {
  const desk = peopleDesk(0);
  const paid: unknown[] = [];
  let log: readonly RunEvent[] = [];
  const open = () => {
    const ends = new Set(log.flatMap((event) => (event.kind === 'person.answered' ? [event.item] : [])));
    return log.flatMap((event) => (event.kind === 'person.asked' && !ends.has(event.item) ? [event] : []));
  };
  return {
    desk,
    paid,
    open,
    async stint(server: 'up' | 'down' | 'without'): Promise<string | undefined> {
      const tools = fakeTools({
        async bank__pay({ sum }, { ask }) {
          if (asksItself) {
            const end = await ask?.({ what: 'question', server: { serverName: 'bank', message: 'Which account?' } });
            if (end?.outcome !== 'answered') return 'not paid';
          }
          paid.push(sum);
          return 'paid';
        },
      });
      const port: ToolPort = {
        ...tools,
        async list(card, signal, onStart) {
          const end = onStart?.('bank');
          end?.(server === 'down' ? "Server 'bank' did not start." : undefined);
          return server === 'up' ? await tools.list(card, signal) : { tools: [], issues: [] };
        },
      };
      const model = scriptedModel({ lead: [{ calls: [{ tool: 'bank__pay', arguments: { sum: 5 } }] }, 'done'] });
      const done = await runGraph({ parsed: graph, model, tools: { mcp: port }, people: desk, log });
      log = done.log;
      const [end] = log.flatMap((event) => (event.kind === 'tool.ended' ? [event.result] : []));
      return end && `${end.errorCode ?? 'ok'}: ${textOf(end.content)}`;
    },
    answer(end = ended()) {
      for (const { item } of open()) if (!desk.has(item)) desk.end(item, end);
    },
  };
}

describe('an approved call whose server is down when the run goes on', () => {
  it('waits for the server, and runs once when it is back', async () => {
    const run = runs();
    await run.stint('up');
    run.answer();
    expect(await run.stint('down')).toBeUndefined();
    expect(run.open().map(({ what, step, sentence }) => [what, step, sentence])).toEqual([
      ['approval', 'lead#t1.w', "Approved, waiting for the server: Server 'bank' cannot be reached"],
    ]);
    run.answer();
    // It is tried again and is down again, so the next question is asked.
    expect(await run.stint('down')).toBeUndefined();
    expect(run.open()).toHaveLength(1);
    expect(await run.stint('up')).toBe('ok: paid');
    expect(run.paid).toEqual([5]);
    expect(run.open()).toEqual([]);
  });

  it('ends when a person gives up, and the model is told', async () => {
    const run = runs();
    await run.stint('up');
    run.answer();
    await run.stint('down');
    run.answer(ended({ decision: 'deny' }));
    expect(await run.stint('down')).toMatch(/^SERVER_UNAVAILABLE: Error: The call of 'bank__pay' was approved, but/);
    expect(run.paid).toEqual([]);
  });

  it('keeps the answer for the server until it is back', async () => {
    const run = runs({ asksItself: true, graph: graphOf('lead') });
    await run.stint('up');
    run.answer();
    expect(await run.stint('down')).toBeUndefined();
    // The answer is in the log although the server has not got it: only the server is waited for.
    expect(run.open().map(({ step }) => step)).toEqual(['lead#t1.w']);
    expect(await run.stint('up')).toBe('ok: paid');
    expect(run.open()).toEqual([]);
  });

  it('is refused without the server if it was denied, and waits for an answer that it does not have', async () => {
    const run = runs();
    await run.stint('up');
    expect(await run.stint('down')).toBeUndefined();
    expect(run.open().map(({ step }) => step)).toEqual(['lead#t1']);
    run.answer(ended({ decision: 'deny', note: 'Too much.' }));
    expect(await run.stint('down')).toMatch(/^APPROVAL_DENIED: .*nothing ran\. Reason: Too much\.$/);
    expect(run.paid).toEqual([]);
  });

  it('ends with UNKNOWN_TOOL when the server is there and has the tool no more', async () => {
    const run = runs();
    await run.stint('up');
    run.answer();
    expect(await run.stint('without')).toMatch(/^UNKNOWN_TOOL: /);
    expect(run.open()).toEqual([]);
  });
});
