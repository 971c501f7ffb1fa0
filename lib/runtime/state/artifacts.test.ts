import { describe, expect, it, test } from 'vitest';
import { brandAs, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Artifacts } from '@/lib/runtime/ports';
import type { EventBody, RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { graphOf } from '@/lib/testing/graph-of';
import { memoryArtifacts } from '@/lib/testing/memory-artifacts';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';
import { artifactNameProblem, RunArtifacts } from './artifacts';

const save = (name: string, content = 'x', more: Record<string, unknown> = {}): TestCall => ({
  tool: 'save_artifact',
  arguments: { name, content, ...more },
});
const load = (name: string, version?: number): TestCall => ({ tool: 'load_artifact', arguments: { name, version } });
const list: TestCall = { tool: 'list_artifacts' };
const kid: TestCall = { tool: 'agent__kid', arguments: { text: 'x' } };

interface Setup {
  readonly kid?: TestScript;
  readonly deep?: TestScript;
  readonly options?: DelegationOptions;
  readonly store?: Artifacts;
  readonly log?: readonly RunEvent[];
  readonly maxBytes?: number;
}

async function run(lead: readonly (readonly TestCall[])[], setup: Setup = {}): Promise<TestRun> {
  const { options = {}, store, log, maxBytes } = setup;
  const scripts = {
    lead: [...lead.map((calls) => ({ calls })), 'end'],
    kid: setup.kid ?? 'k',
    deep: setup.deep ?? 'd',
  };
  const parsed = graphOf('lead > kid; kid > deep', {
    settings: {
      runtime_tools: { artifacts: true },
      delegations: { lead: { kid: options } },
      limits: maxBytes === undefined ? {} : { max_artifact_bytes: maxBytes },
    },
  });
  return runGraph({
    parsed,
    model: scriptedModel(scripts),
    ...(store && { artifacts: store }),
    ...(log && { log }),
  });
}

/** What the calls of an instance were answered. */
function answers({ log }: TestRun, path = 'lead'): string[] {
  return log.flatMap((event) =>
    event.kind === 'tool.ended' && event.path === path ? [textOf(event.result.content)] : [],
  );
}

function versions({ log }: TestRun): string[] {
  return log.flatMap((event) =>
    event.kind === 'artifact.saved' ? [`${event.path} ${event.space} ${event.name} ${event.version}`] : [],
  );
}

describe('artifacts are shared', () => {
  it('they flow down and up, versions count up, and the result names what was made', async () => {
    const done = await run([[save('plan.md', 'one')], [kid], [list, load('plan.md'), load('plan.md', 1)]], {
      kid: [{ calls: [load('plan.md')] }, { calls: [save('plan.md', 'two'), save('kid.txt', 'hers')] }, 'k'],
    });
    expect(answers(done, 'lead/kid[1]')[0]).toBe('one');
    expect(versions(done)).toEqual(['lead run plan.md 1', 'lead/kid[1] run plan.md 2', 'lead/kid[1] run kid.txt 1']);
    expect(answers(done).slice(2)).toEqual([
      'name\tversion\ttype\tbytes\nkid.txt\t1\ttext/plain\t4\nplan.md\t2\ttext/markdown\t3',
      'two',
      'one',
    ]);
    const result = done.sink.of('tool.ended').find(({ step }) => step === 'lead#t2')?.result;
    expect(result?.meta).toEqual({ artifacts: { 'plan.md': 2, 'kid.txt': 1 } });
  });

  it('records size, hash, type and content, and keeps binary content', async () => {
    const done = await run([
      [save('a.png', 'AQID', { encoding: 'base64' }), save('b', 'ü', { media_type: 'x/y' })],
      [load('a.png')],
    ]);
    expect(
      done.sink
        .of('artifact.saved')
        .map(({ mimeType, bytes, encoding, content }) => [mimeType, bytes, encoding, content]),
    ).toEqual([
      ['image/png', 3, 'base64', 'AQID'],
      ['x/y', 2, 'text', 'ü'],
    ]);
    expect(done.sink.of('artifact.saved')[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(done.sink.of('tool.ended').at(-1)?.result.content).toEqual([
      { type: 'image', data: 'AQID', mimeType: 'image/png' },
    ]);
  });

  it('user: artifacts outlive the run where there is a store, and live as long as it where there is none', async () => {
    const store = memoryArtifacts();
    await run([[save('user:me', 'first')]], { store });
    const second = await run([[load('user:me')], [save('user:me', 'second')], [list]], { store });
    expect(answers(second)).toEqual([
      'first',
      "Saved 'user:me', version 2.",
      'name\tversion\ttype\tbytes\nuser:me\t2\ttext/plain\t6',
    ]);
    const alone = await run([[save('user:me', 'x')], [list, load('user:me')]]);
    expect(answers(alone).slice(1)).toEqual(['name\tversion\ttype\tbytes\nuser:me\t1\ttext/plain\t1', 'x']);
  });
});

describe('artifacts of one child', () => {
  it('are its own: empty at first, hidden from its parent, and recorded', async () => {
    const done = await run([[save('plan.md')], [kid], [list]], {
      options: { artifacts: { forward: false } },
      kid: [
        { calls: [list] },
        { calls: [save('plan.md'), save('user:x')] },
        { calls: [{ tool: 'agent__deep' }, list] },
        'k',
      ],
      deep: [{ calls: [load('plan.md')] }, 'd'],
    });
    expect(answers(done, 'lead/kid[1]')[0]).toBe('There are no artifacts.');
    expect(answers(done, 'lead/kid[1]/deep[1]')).toEqual(['x']);
    expect(versions(done).slice(1)).toEqual([
      'lead/kid[1] instance:lead/kid[1] plan.md 1',
      'lead/kid[1] instance:lead/kid[1] user:x 1',
    ]);
    expect(answers(done).at(-1)).toBe('name\tversion\ttype\tbytes\nplan.md\t1\ttext/markdown\t1');
    const result = done.sink.of('tool.ended').find(({ step }) => step === 'lead#t2')?.result;
    expect(result?.meta).toBeUndefined();
  });
});

describe('prefixes', () => {
  it('a name outside them is refused, one inside them is version 1, and no instance below gets more rights', async () => {
    const done = await run([[kid]], {
      options: { artifacts: { write_prefixes: ['team/', 'draft'] } },
      kid: [
        { calls: [save('other.md'), save('team/a.md'), save('draft.md')] },
        { calls: [{ tool: 'agent__deep' }] },
        'k',
      ],
      deep: [{ calls: [save('mine'), save('team/b.md')] }, 'd'],
    });
    expect(answers(done, 'lead/kid[1]').slice(0, 3)).toEqual([
      "Error: The artifact 'other.md' may not be saved here: only names that begin with team/, draft.",
      "Saved 'team/a.md', version 1.",
      "Saved 'draft.md', version 1.",
    ]);
    expect(answers(done, 'lead/kid[1]/deep[1]').map((text) => text.startsWith('Error'))).toEqual([true, false]);
    const refused = done.sink.of('tool.ended').find(({ result }) => result.isError);
    expect(refused?.result.errorCode).toBe('ARTIFACT_WRITE_DENIED');
  });
});

describe('names', () => {
  it.each(['', ' ', '/a', 'a/../b', '..', 'a\\b', 'a\0b', 'user:', 'user:/a', 'x'.repeat(513)])(
    '%j is refused',
    (name) => {
      expect(artifactNameProblem(name)).toMatch(/^The artifact name/);
    },
  );

  it.each(['a', 'team/a/b.md', 'user:a', 'Ünï', '.hidden'])('%j is fine', (name) => {
    expect(artifactNameProblem(name)).toBeUndefined();
  });
});

describe('limits and faults', () => {
  it('what is too large, no base64 or not there is an error result', async () => {
    const done = await run([[save('a', 'xxxx'), save('b', '%', { encoding: 'base64' }), load('c'), save('d', 'xxx')]], {
      maxBytes: 3,
    });
    expect(answers(done).sort()).toEqual([
      "Error: The artifact 'a' has 4 bytes; at most 3 are kept. Save less, or in parts.",
      "Error: The content of 'b' is not base64.",
      "Error: There is no artifact 'c'. See list_artifacts.",
      "Saved 'd', version 1.",
    ]);
  });

  it('a log cut anywhere gives the same versions', async () => {
    const setup: Setup = {
      store: memoryArtifacts(),
      kid: [{ calls: [save('a', 'kid'), save('user:u', 'kid')] }, { calls: [load('a')] }, 'k'],
    };
    const calls = [[save('a', 'lead')], [kid, kid], [list]];
    const whole = await run(calls, setup);
    const contents = ({ log }: TestRun) =>
      log.flatMap((e) => (e.kind === 'artifact.saved' ? [`${e.path} ${e.name} ${e.version} ${e.content}`] : [])).sort();
    for (let length = 0; length <= whole.log.length; length++) {
      const again = await run(calls, { ...setup, store: memoryArtifacts(), log: whole.log.slice(0, length) });
      expect(again.outcome).toEqual(whole.outcome);
      expect(contents(again).filter((line) => !line.includes(' u '))).toEqual(
        contents(whole).filter((line) => !line.includes(' u ')),
      );
    }
  });
});

test('versions count in the order the saves were asked for, however long the first takes to hash', async () => {
  const events: EventBody[] = [];
  let hashFirst: (hash: string) => void = () => undefined;
  const hashing = [
    new Promise<string>((resolve) => {
      hashFirst = resolve;
    }),
    Promise.resolve('second'),
  ];
  const hash = { later: () => hashing.shift() ?? Promise.reject(new Error('asked for too often')) };
  const append = (event: EventBody) => void events.push(event);
  const artifacts = new RunArtifacts([], { append }, undefined, 1_000, brandAs<RunId>('run'), hash);
  const rights = { space: 'run', prefixes: [] } as const;
  const access = artifacts.accessFor(rights, brandAs<InstancePath>('lead'), brandAs<StepKey>('lead#t1'));
  const content = (text: string) => ({ mimeType: 'text/plain', encoding: 'text', content: text }) as const;
  const both = [access.save('a.md', content('large')), access.save('a.md', content('small'))];
  hashFirst('first');
  await Promise.all(both);
  expect(events.map((event) => event.kind === 'artifact.saved' && [event.content, event.version])).toEqual([
    ['large', 1],
    ['small', 2],
  ]);
});
