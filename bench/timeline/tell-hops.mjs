// Is loaded into the web process. Notes when notifications of new events arrive, when events were read, and when a part of a stream was
// written, each with the number of the last event. On SIGUSR2 it writes the notes to a file.
import { writeFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';

const folder = process.env.CALLBOARD_BENCH_HOPS;
if (isMainThread && folder !== undefined && /bin\/web\.mjs$/.test(process.argv[1] ?? '')) {
  const now = () => performance.timeOrigin + performance.now();
  const notes = { notified: [], read: [], written: [], statements: 0 };

  const { emit, query } = pg.Client.prototype;
  pg.Client.prototype.emit = function (name, ...given) {
    if (name === 'notification' && given[0].channel === 'run_events') {
      const [, seq] = given[0].payload.split(':');
      if (Number(seq) > 0) notes.notified.push([now(), Number(seq)]);
    }
    return emit.call(this, name, ...given);
  };
  pg.Client.prototype.query = function (config, values, done) {
    notes.statements += 1;
    if (config?.name !== 'read-events' || typeof done !== 'function') return query.call(this, config, values, done);
    const begun = now();
    return query.call(this, config, values, (error, result) => {
      const last = result?.rows.at(-1)?.seq;
      if (last !== undefined) notes.read.push([begun, now(), last]);
      done(error, result);
    });
  };
  const { write } = ServerResponse.prototype;
  ServerResponse.prototype.write = function (chunk, ...rest) {
    const id = /^id: (\d+)/.exec(Buffer.from(chunk.slice(0, 20)).toString());
    if (id !== null) notes.written.push([now(), Number(id[1])]);
    return write.call(this, chunk, ...rest);
  };
  process.on('SIGUSR2', () => {
    writeFileSync(join(folder, 'web.json'), JSON.stringify(notes));
    for (const kind of ['notified', 'read', 'written']) notes[kind] = [];
    notes.statements = 0;
  });
}
