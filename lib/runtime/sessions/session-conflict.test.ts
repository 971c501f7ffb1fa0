import { describe, expect, it } from 'vitest';
import type { SessionPort } from '@/lib/runtime/ports';
import { textOf } from '@/lib/runtime/record/messages';
import { graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

const key = { id: 'known', owner: 'lead > expert' };
const parsed = graphOf('lead > expert', { settings: { delegations: { lead: { expert: { session: 'addressed' } } } } });

const model = (text: string, answer: string) =>
  scriptedModel({
    lead: [{ calls: [{ tool: 'agent__expert', arguments: { text, session_id: 'known' } }] }, 'end'],
    expert: answer,
  });

/** Sessions in which another run saves something just before each of the first saves of this one. */
async function busySessions(others: readonly string[]): Promise<SessionPort> {
  const sessions = memorySessions();
  await sessions.save(key, { version: 1, history: [user('begin')], state: { a: 1 }, activeGroups: [] }, 'first');
  const waiting = [...others];
  return {
    read: (wanted) => sessions.read(wanted),
    async save(wanted, session, writer) {
      const other = waiting.shift();
      const now = await sessions.read(key);
      if (other !== undefined && now) {
        const history = [...now.history, user(other)];
        await sessions.save(
          key,
          { ...now, history, state: { ...now.state, b: other }, version: now.version + 1 },
          `other ${other}`,
        );
      }
      return sessions.save(wanted, session, writer);
    },
  };
}

function user(text: string) {
  return { role: 'user' as const, content: [{ type: 'text' as const, text }] };
}

async function saidIn(sessions: SessionPort): Promise<string[]> {
  const found = await sessions.read(key);
  return (found?.history ?? []).map((message) => (message.role === 'tool' ? 'tool' : textOf(message.content)));
}

describe('two runs on one stored session', () => {
  it('keeps what both said, the later save after the earlier one', async () => {
    const sessions = await busySessions(['theirs']);
    const { outcome, sink } = await runGraph({ parsed, sessions, model: model('mine', 'my answer') });
    expect(outcome.status).toBe('completed');
    expect(await saidIn(sessions)).toEqual(['begin', 'theirs', 'mine', 'my answer']);
    expect(await sessions.read(key)).toMatchObject({ version: 3, state: { a: 1, b: 'theirs' } });
    expect(sink.of('log').map(({ code }) => code)).toEqual(['session_merged']);
    expect(sink.of('session.saved')[0]).toMatchObject({ version: 3 });
  });

  it('loses nothing to forty runs that are faster, one after another', async () => {
    const others = Array.from({ length: 40 }, (_, index) => `run ${index}`);
    const sessions = await busySessions(others);
    const { sink } = await runGraph({ parsed, sessions, model: model('mine', 'my answer') });
    expect(await saidIn(sessions)).toEqual(['begin', ...others, 'mine', 'my answer']);
    expect(sink.of('tool.ended').map(({ result }) => textOf(result.content))).toEqual([
      'session_id: known\n\nmy answer',
    ]);
  });

  it.each([
    ['session_not_saved', () => Promise.reject(new Error('the disk is full'))],
    ['session_conflict', () => Promise.resolve('conflict' as const)],
  ])('%s is told to the model and to a person, and the answer is there', async (code, save) => {
    const sessions: SessionPort = { ...(await busySessions([])), save };
    const { outcome, sink } = await runGraph({ parsed, sessions, model: model('mine', 'my answer') });
    expect(outcome.status).toBe('completed');
    expect(sink.of('tool.ended').map(({ result }) => [result.isError, textOf(result.content)])).toEqual([
      [
        false,
        'session_id: known\n\n(The session could not be saved: later calls may not know what was said in this one. Repeat what matters.)\n\nmy answer',
      ],
    ]);
    expect(sink.of('log').map((event) => [event.level, event.code, event.path])).toEqual([
      ['warning', code, 'lead/expert[1]'],
    ]);
  });

  it('a session that cannot be read refuses the call, with the reason', async () => {
    const sessions: SessionPort = { ...(await busySessions([])), read: () => Promise.reject(new Error('away')) };
    const { sink } = await runGraph({ parsed, sessions, model: model('mine', 'my answer') });
    expect(sink.of('tool.ended').map(({ result }) => [result.errorCode, textOf(result.content)])).toEqual([
      ['AGENT_FAILED', "Error: The session 'known' of agent 'expert' cannot be read: away"],
    ]);
  });

  it('merges again after a second conflict', async () => {
    const sessions = await busySessions(['one', 'two', 'three']);
    await runGraph({ parsed, sessions, model: model('mine', 'my answer') });
    expect(await saidIn(sessions)).toEqual(['begin', 'one', 'two', 'three', 'mine', 'my answer']);
  });

  it('says nothing twice when a crash comes after the save', async () => {
    const whole = await runGraph({
      parsed,
      sessions: await busySessions(['theirs']),
      model: model('mine', 'my answer'),
    });
    // What was said is flushed before the session is saved.
    const said = whole.log.findIndex((event) => event.kind === 'instance.ended');
    for (let length = said + 1; length < whole.log.length; length++) {
      const sessions = await busySessions(['theirs']);
      const crashed = await runGraph({ parsed, sessions, model: model('mine', 'my answer') });
      await runGraph({ parsed, sessions, model: model('mine', 'my answer'), log: crashed.log.slice(0, length) });
      expect(await saidIn(sessions)).toEqual(['begin', 'theirs', 'mine', 'my answer']);
    }
  });

  it('begins a session anew that was deleted meanwhile', async () => {
    const sessions = memorySessions();
    await sessions.save(key, { version: 1, history: [user('begin')], state: {}, activeGroups: [] }, 'first');
    const fresh = memorySessions();
    const deleted: SessionPort = { read: (wanted) => sessions.read(wanted), save: (...save) => fresh.save(...save) };
    let reads = 0;
    deleted.read = (wanted) => (reads++ === 0 ? sessions : fresh).read(wanted);
    await runGraph({ parsed, sessions: deleted, model: model('mine', 'my answer') });
    expect(await saidIn(fresh)).toEqual(['begin', 'mine', 'my answer']);
  });
});
