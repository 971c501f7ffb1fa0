import { describe, expect, it } from 'vitest';
import { err, ok } from '@/lib/base/result';
import { folderOf } from '@/lib/cards/files';
import type { UrlPort } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph, type TestRunInput } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { slimEvent } from '@/lib/trace/slim-event';

const site = 'https://prompts.example';

/** Texts by path; everything else is a 404. Notes who named what. */
function fakeUrls(texts: Readonly<Record<string, string>>): UrlPort & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async read(url, { namedBy }) {
      asked.push(namedBy === undefined ? url : `${url} by ${namedBy}`);
      const text = texts[url.slice(site.length)];
      return text === undefined ? err('the server answered 404') : ok(text);
    },
  };
}

const leadSaying = (instruction: string) => graphOf('lead', { cards: { lead: { instruction } } });

async function promptOf(
  instruction: string,
  texts: Readonly<Record<string, string>>,
  more: Partial<TestRunInput> = {},
) {
  const model = scriptedModel({ lead: 'done' });
  const urls = fakeUrls(texts);
  const { outcome, log } = await runGraph({ parsed: leadSaying(instruction), model, urls, ...more });
  return { prompt: model.requests[0]?.instruction, error: outcome.error, asked: urls.asked, log };
}

describe('{{url:…}} in an instruction', () => {
  it('is filled in before the first model call, once for each address', async () => {
    const parsed = graphOf('lead > kid, idle; other', {
      cards: {
        lead: { instruction: `Rules:\n{{url:${site}/rules}}` },
        kid: { instruction: `{{url:${site}/rules}} {{url:${site}/kid}}` },
        other: { instruction: `{{url:${site}/other}}` },
      },
    });
    const model = scriptedModel({ lead: [{ calls: [{ tool: 'agent__kid' }] }, 'done'], kid: 'k' });
    const urls = fakeUrls({ '/rules': 'Be kind.', '/kid': 'Be short.' });
    const { sink } = await runGraph({ parsed, model, urls, request: { agent: 'lead' } });
    expect(model.requests.map(({ instruction }) => instruction)).toEqual([
      'Rules:\nBe kind.',
      'Be kind. Be short.',
      'Rules:\nBe kind.',
    ]);
    expect(urls.asked).toEqual([`${site}/rules`, `${site}/kid`]);
    expect(sink.events.slice(0, 8).map(({ kind }) => kind)).toEqual([
      'run.started',
      'instance.queued',
      'setup.started',
      'setup.started',
      'url.fetched',
      'setup.ended',
      'url.fetched',
      'setup.ended',
    ]);
    expect(sink.of('setup.started').map(({ path, what, name }) => [path, what, name])).toEqual([
      ['lead', 'text', `${site}/rules`],
      ['lead', 'text', `${site}/kid`],
    ]);
    expect(sink.of('url.fetched').map(({ url, text }) => [url, text])).toEqual([
      [`${site}/rules`, 'Be kind.'],
      [`${site}/kid`, 'Be short.'],
    ]);
  });

  it('fills in what the text names, but reads no file for it', async () => {
    const text = `I am {{agentName}}. {{file:secret.md}} {{ file:secret.md }}{{file_silent:secret.md}} \\{{url:${site}/no}} {{mood}}`;
    const { prompt, asked } = await promptOf(
      `{{file:secret.md}} {{url:${site}/a}}`,
      { '/a': text },
      {
        folder: folderOf({ 'secret.md': 'hush' }),
      },
    );
    expect(prompt).toBe(
      `hush I am lead. {{file:secret.md}} {{ file:secret.md }}{{file_silent:secret.md}} {{url:${site}/no}} {{mood}}`,
    );
    expect(asked).toEqual([`${site}/a`]);
  });

  it('follows addresses in the text, and says who named them', async () => {
    const { prompt, asked } = await promptOf(`<{{url:${site}/a}}>`, {
      '/a': `a{{url:${site}/b}}{{url:${site}/b}}`,
      '/b': 'b',
    });
    expect(prompt).toBe('<abb>');
    expect(asked).toEqual([`${site}/a`, `${site}/b by ${site}/a`]);
  });

  it.each([
    ['\\{{url:https://prompts.example/a}}', '{{url:https://prompts.example/a}}'],
    ['{{url: https://prompts.example/a}}', '{{url: https://prompts.example/a}}'],
    ['{{url:ftp://prompts.example/a}}', '{{url:ftp://prompts.example/a}}'],
    ['{{url:notes.md}}', '{{url:notes.md}}'],
  ])('leaves %s alone', async (instruction, expected) => {
    const { prompt, asked } = await promptOf(instruction, { '/a': 'no' });
    expect(prompt).toBe(expected);
    expect(asked).toEqual([]);
  });

  it('goes ten texts deep and no deeper', async () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, at) => [`/${at + 1}`, at + 1 === length ? 'end' : `{{url:${site}/${at + 2}}}`]),
      );
    expect((await promptOf(`{{url:${site}/1}}`, chain(10))).prompt).toBe('end');
    expect((await promptOf(`{{url:${site}/1}}`, chain(11))).error).toEqual({
      code: 'url_unavailable',
      message: `Agent 'lead' (agent-cards/lead.md): {{url:${site}/11}} in the text of ${site}/10 cannot be filled in: it includes texts more than 10 deep. Correct the address, or remove the placeholder.`,
    });
    // A text that the card names too is no less deep for that.
    const both = await promptOf(`{{url:${site}/9}}{{url:${site}/1}}`, chain(11));
    expect(both.error?.message).toContain('it includes texts more than 10 deep');
  });

  it.each([
    ['includes itself', { '/a': `{{url:${site}/b}}`, '/b': `{{url:${site}/a}}` }, 'it includes itself'],
    [
      'grows without measure',
      Object.fromEntries([
        ...Array.from({ length: 8 }, (_, at) => [at === 0 ? '/a' : `/${at}`, `{{url:${site}/${at + 1}}}`.repeat(10)]),
        ['/8', 'ha'],
      ]),
      'it is too long with all that it includes',
    ],
    [
      'names very many others',
      Object.fromEntries([
        ['/a', Array.from({ length: 100 }, (_, at) => `{{url:${site}/n${at}}}`).join('')],
        ...Array.from({ length: 100 }, (_, at) => [`/n${at}`, 'n']),
      ]),
      'a run reads at most 100 addresses',
    ],
  ])('is refused when a text %s', async (_, texts, reason) => {
    const { error, prompt } = await promptOf(`{{url:${site}/a}}`, texts);
    expect(error).toMatchObject({ code: 'url_unavailable', message: expect.stringContaining(reason) });
    expect(prompt).toBeUndefined();
  });

  it('ends the run before it starts when a text cannot be had, and says whose it is', async () => {
    const { error, log } = await promptOf(`{{url:${site}/a}}`, {});
    expect(error).toEqual({
      code: 'url_unavailable',
      message: `Agent 'lead' (agent-cards/lead.md): {{url:${site}/a}} cannot be filled in: the server answered 404. Correct the address, or remove the placeholder.`,
    });
    expect(log.map(({ kind }) => kind)).toEqual([
      'run.started',
      'instance.queued',
      'setup.started',
      'setup.ended',
      'instance.ended',
      'run.finished',
    ]);
  });

  /** Cuts a log after its n-th text. */
  const upTo = (log: readonly RunEvent[], n: number) =>
    log.slice(0, log.flatMap(({ kind }, i) => (kind === 'url.fetched' ? [i + 1] : []))[n - 1]);

  it('is not fetched again by a resumed run if it is recorded', async () => {
    const instruction = `{{url:${site}/a}} {{url:${site}/b}}`;
    const whole = await promptOf(instruction, { '/a': 'a', '/b': 'b' });
    const after = await promptOf(instruction, { '/a': 'other', '/b': 'other' }, { log: upTo(whole.log, 2) });
    expect([after.prompt, after.asked]).toEqual(['a b', []]);
    const between = await promptOf(instruction, { '/b': 'other' }, { log: upTo(whole.log, 1) });
    expect([between.prompt, between.asked]).toEqual(['a other', [`${site}/b`]]);
  });

  it('is not waited for once the run is stopped', async () => {
    const stop = new AbortController();
    const urls: UrlPort = {
      read: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(err('it was stopped')));
          queueMicrotask(() => stop.abort());
        }),
    };
    const { error, log } = await promptOf(`{{url:${site}/a}}`, {}, { urls, signal: stop.signal });
    expect(error?.code).toBe('cancelled');
    expect(log.map(({ kind }) => kind)).toEqual([
      'run.started',
      'instance.queued',
      'setup.started',
      'log',
      'setup.ended',
      'instance.ended',
      'run.finished',
    ]);
  });

  it('cannot run where nothing is fetched', async () => {
    const { error } = await promptOf(`{{url:${site}/a}}`, {}, { urls: undefined });
    expect(error?.message).toContain('nothing can be fetched here');
  });

  it('leaves the text out of the live stream', async () => {
    const { log } = await promptOf(`{{url:${site}/a}}`, { '/a': 'a' });
    const event = log.find(({ kind }) => kind === 'url.fetched');
    expect(event && slimEvent(event)).toEqual({ seq: 4, at: 0, kind: 'url.fetched', url: `${site}/a` });
  });
});
