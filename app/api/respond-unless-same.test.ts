import { expect, it } from 'vitest';
import { respondUnlessSame } from './respond-unless-same';

const ask = (known?: string) =>
  new Request('http://127.0.0.1/api/v1/runs', { headers: known === undefined ? {} : { 'If-None-Match': known } });

it('sends an answer again only when it has changed', async () => {
  const first = respondUnlessSame(ask(), { runs: [1] });
  expect(first.status).toBe(200);
  expect(await first.json()).toEqual({ runs: [1] });
  const tag = first.headers.get('etag') ?? '';

  const same = respondUnlessSame(ask(`W/"other", ${tag}`), { runs: [1] });
  expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, tag, '']);

  const changed = respondUnlessSame(ask(tag), { runs: [1, 2] });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(tag);
});
