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

test('a message of several lines is marked in each of them, however the stream is cut', async () => {
  const events = [
    'event: endpoint\r\ndata: /messages?id=8588-26e01868d633\r\n\r\n',
    'data:\r\ndata: {"id": 1,\r\ndata: "result": 9007199254740993}\r\n\r\n',
    ': 9007199254740993\r\ndata: 8588-26e01868d633\r\n\r\n',
  ];
  const text = events.join('');
  for (let cut = 1; cut < text.length; cut += 1) {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of [text.slice(0, cut), text.slice(cut)]) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    const answer = markedAnswer(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    const marked = text.replace('"result": 9007199254740993', '"result": "MARK#9007199254740993"');
    expect((await answer.text()).replaceAll(/[0-9a-f-]{36}#/g, 'MARK#')).toBe(marked);
  }
});
