import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { openLiveTextReaders } from '@/lib/server/live-text-readers';
import { openRunStream } from '@/lib/server/run-streams';
import { readAllEvents, runEventsChannel } from '@/lib/store/events';
import { liveTextsChannel, sendNotifications, watchTextsChannel } from '@/lib/store/live-text-messages';
import { openNotifications } from '@/lib/store/notifications';
import { findProject, insertProject } from '@/lib/store/projects';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { localActor } from '@/lib/testing/local-actor';
import { pieceTap } from '@/lib/testing/piece-tap';
import { testDatabase } from '@/lib/testing/postgres';
import { startWorkerHere } from '@/lib/testing/worker-here';
import type { LivePiece } from '@/lib/trace/live-texts';
import { openRunQueue } from './enqueue';
import { systemClock } from './system-clock';

/** A real worker, a real stream from a model server, and the stream that a browser reads. */

const key = 'sk-live-text-0123456789';
const { url, store } = await testDatabase();
const queue = openRunQueue(store);
const runEvents = openNotifications(url, runEventsChannel, liveTextsChannel);
const liveTexts = openLiveTextReaders(runEvents, systemClock, (requests) =>
  sendNotifications(store, watchTextsChannel, requests),
);
const data = mkdtempSync(path.join(tmpdir(), 'callboard-live-text-'));
const tap = pieceTap();
const model = await startFakeOpenAI({ respond: () => ({ pieces: tap }) });
const worker = await startWorkerHere({
  databaseUrl: url,
  dataFolder: data,
  env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: model.url },
});

afterAll(async () => {
  tap.end();
  await worker.stop();
  await Promise.all([runEvents.close(), model.close()]);
  rmSync(data, { recursive: true, force: true });
});

async function enqueue(): Promise<RunId> {
  const folder = folderOf({ 'lead.md': '---\nname: lead\nmodel: openai.gpt-live\n---\nSay it.\n' });
  const projectId = await insertProject(store, 'Live', folder, { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const id = brandAs<RunId>(randomUUID());
  const correlationId = brandAs<CorrelationId>(randomUUID());
  await queue.enqueueRun({ id, projectId, treeHash, correlationId, agent: undefined, message: 'Go', model: undefined });
  return id;
}

test('a reader sees the words of a model before the call ends, without secrets, and the log has only its end', async () => {
  const id = await enqueue();
  const gone = new AbortController();
  const stream = openRunStream(
    { store, runEvents, liveTexts },
    { actor: localActor, id, after: 0, signal: gone.signal },
    'slim',
  );
  const parts = new Map<string, string>();
  let events = '';

  /** Reads until the parts are as wanted, or the stream ends. */
  async function until(wanted: Readonly<Record<string, string>>): Promise<void> {
    for (;;) {
      if (JSON.stringify(Object.fromEntries(parts)) === JSON.stringify(wanted)) return;
      const { done, value } = await stream.next();
      if (done === true) throw new Error(`The stream ended with ${JSON.stringify([...parts])}`);
      if (!value.startsWith('event: text\n')) {
        events += value;
        continue;
      }
      const pieces: LivePiece[] = JSON.parse(value.slice(value.indexOf('data: ') + 6));
      for (const { part, toolName, at, text } of pieces) {
        const name = toolName ?? part;
        parts.set(name, (parts.get(name) ?? '').slice(0, at) + text);
      }
    }
  }

  tap.send({ reasoning: 'They want it said.' });
  await until({ reasoning: 'They want it said.' });
  tap.send({ text: 'The key is sk-live-' });
  await until({ reasoning: 'They want it said.', text: 'The key is ' });
  tap.send({ text: 'text-0123456789.' });
  await until({ reasoning: 'They want it said.', text: 'The key is ***.' });
  tap.send({ text: ' Keep it.' });
  await until({ reasoning: 'They want it said.', text: 'The key is ***. Keep it.' });
  expect(events).toContain('"model.started"');
  expect(events).not.toContain('model.ended');
  tap.end();
  for await (const value of stream) if (!value.startsWith('event: text\n')) events += value;
  expect(events).toContain('"model.ended"');

  const log = await readAllEvents(store, id);
  expect(log.map(({ kind }) => kind)).not.toContain('model.delta');
  const end = log.find((event) => event.kind === 'model.ended');
  expect(end).toMatchObject({
    message: { content: [{ type: 'text', text: 'The key is ***. Keep it.' }], reasoning: 'They want it said.' },
  });
  expect(JSON.stringify(log)).not.toContain('The key is ***."');
});
