import { expect, test } from 'vitest';
import { markedAnswer, markedNumbers } from './exact-messages';

test('an address with digits that look like a huge number stays as it is', async () => {
  const text = 'event: endpoint\ndata: /messages?sessionId=4badbfa9-8448-4d84-8588-26e01868d633\n\n';
  const answer = markedAnswer(new Response(text, { headers: { 'content-type': 'text/event-stream' } }));
  expect(await answer.text()).toBe(text);
});

test('numbers of a message that a double cannot hold are marked, also in a list and after blanks', () => {
  for (const text of ['{"id":1,"result":9007199254740993}', ' [9007199254740993]']) {
    expect(markedNumbers(text)).toMatch(/"[0-9a-f-]{36}#9007199254740993"/);
  }
  expect(markedNumbers('{"id":1,"result":42}')).toBe('{"id":1,"result":42}');
});
