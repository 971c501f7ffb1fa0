import { describe, expect, it } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { Settings } from '@/lib/cards/settings';
import { forwardFilter } from '@/lib/runtime/instance/forwarding';
import type { ModelPort } from '@/lib/runtime/ports';
import { noUsage } from '@/lib/runtime/record/messages';
import { graphOf } from '@/lib/testing/graph-of';
import { runCalls } from '@/lib/testing/run-calls';
import { runGraph } from '@/lib/testing/run-graph';

const kid = { tool: 'agent__kid', arguments: { text: 'x' } };
const deep = { tool: 'agent__deep', arguments: { text: 'x' } };

describe('forwarding', () => {
  async function forwarded(forward_events: NonNullable<Settings['delegations'][string][string]['forward_events']>) {
    const { sink } = await runCalls('lead > kid; kid > deep', [kid], {
      scripts: { kid: [{ text: 'hm', calls: [deep] }, 'k'], deep: 'd' },
      settings: { delegations: { lead: { kid: { forward_events } } } },
    });
    const filter = forwardFilter();
    const below = sink.events.filter((event) => filter(event) && 'path' in event && event.path !== 'lead');
    return {
      recorded: sink.events.filter((event) => 'path' in event && event.path !== 'lead').length,
      kinds: below.map(({ kind }) => kind),
      deltas: sink.deltas.filter(({ path }) => path !== 'lead').length,
    };
  }

  it('recording is the same whatever is forwarded', async () => {
    const all = await forwarded(true);
    const none = await forwarded(false);
    const some = await forwarded({ types: ['tool', 'delta'] });
    expect([none.recorded, some.recorded]).toEqual([all.recorded, all.recorded]);
    expect(all.kinds).toHaveLength(all.recorded);
    expect(all.deltas).toBe(3);
    // Only beginning and end of the child and of what is below it.
    expect(none.kinds).toEqual([
      'instance.queued',
      'instance.started',
      'instance.queued',
      'instance.started',
      'instance.ended',
      'instance.ended',
    ]);
    expect(none.deltas).toBe(0);
    expect(some.kinds.filter((kind) => !kind.startsWith('instance'))).toEqual(['tool.started', 'tool.ended']);
    expect(some.deltas).toBe(3);
    const whole = await forwarded({ incremental: false });
    expect([whole.kinds, whole.deltas]).toEqual([all.kinds, all.deltas]);
  });

  const pieces = ['Deep ', 'in ', 'thought.'];

  /** What each instance's text is on the live stream; every instance says `pieces`. */
  async function streamed(edges: Settings['delegations']) {
    const model: ModelPort = {
      complete({ agentName, turn }, { onDelta }) {
        for (const piece of pieces) onDelta(piece);
        const next: Readonly<Record<string, string>> = { lead: 'kid', kid: 'deep' };
        const child = turn === 1 ? next[agentName] : undefined;
        const toolCalls = child ? [{ id: brandAs<CallId>('1'), name: `agent__${child}`, argumentsText: '{}' }] : [];
        const content = [{ type: 'text' as const, text: pieces.join('') }];
        const message = { role: 'assistant' as const, content, toolCalls, stopReason: 'end_turn' as const };
        return Promise.resolve({ ok: true, message, usage: noUsage, requests: 1 });
      },
    };
    const { sink } = await runGraph({
      parsed: graphOf('lead > kid; kid > deep', { settings: { delegations: edges } }),
      model,
    });
    return {
      sink,
      of: (name: string) =>
        sink.deltas.filter(({ step, instanceName }) => step.endsWith('#m1') && instanceName === name),
    };
  }

  it('text comes in pieces, or each time as the whole text so far', async () => {
    const all = await streamed({});
    const whole = await streamed({ lead: { kid: { forward_events: { incremental: false } } } });
    const texts = (run: typeof all, name: string) => run.of(name).map(({ text }) => text);
    // As many on the stream either way, and the last of the whole ones is what the pieces come to.
    expect(whole.sink.deltas.length).toBe(all.sink.deltas.length);
    for (const name of ['kid[1]', 'deep[1]']) {
      expect(texts(all, name)).toEqual(pieces);
      expect(texts(whole, name)).toEqual(['Deep ', 'Deep in ', 'Deep in thought.']);
      expect(texts(whole, name).at(-1)).toBe(texts(all, name).join(''));
      expect(whole.of(name).every(({ incremental }) => !incremental)).toBe(true);
    }
    expect(texts(whole, 'lead')).toEqual(pieces);
    const inner = await streamed({ kid: { deep: { forward_events: { types: ['delta'], incremental: false } } } });
    expect([texts(inner, 'kid[1]'), texts(inner, 'deep[1]').at(-1)]).toEqual([pieces, pieces.join('')]);
    const without = await streamed({ lead: { kid: { forward_events: { types: ['model'] } } } });
    expect(new Set(without.sink.deltas.map(({ agentName }) => agentName))).toEqual(new Set(['lead']));
  });

  it('a forwarded event names its agent, instance and session', async () => {
    const { sink } = await streamed({
      lead: { kid: { session: 'addressed', forward_events: { types: ['model', 'delta'] } } },
    });
    const filter = forwardFilter();
    const stream = sink.events.filter(filter);
    const queued = new Map(stream.flatMap((event) => (event.kind === 'instance.queued' ? [[event.path, event]] : [])));
    const opened = stream.find(({ kind }) => kind === 'session.opened');
    expect(opened).toMatchObject({ path: 'lead/kid[1]', sessionId: 'c2' });
    for (const event of stream) {
      if (!('path' in event) || event.path === undefined) continue;
      const { agentName, instanceName } = queued.get(event.path) ?? {};
      expect(event.path.endsWith(instanceName ?? 'nobody')).toBe(true);
      expect(instanceName?.startsWith(agentName ?? 'nobody')).toBe(true);
    }
    expect(sink.deltas.find(({ path }) => path === 'lead/kid[1]')).toEqual({
      path: 'lead/kid[1]',
      agentName: 'kid',
      instanceName: 'kid[1]',
      sessionId: 'c2',
      step: 'lead/kid[1]#m1',
      text: 'Deep ',
      incremental: true,
    });
  });
});
