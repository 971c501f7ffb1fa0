import http from 'node:http';

/**
 * The address of models of one app. It is known when the app starts, and a test says later which model server is behind it (./app-model.ts).
 * node --import tsx e2e/model-door.ts PORT
 */

let target = '';

http
  .createServer((request, response) => {
    if (request.method === 'PUT' && request.url === '/target') {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      request.on('end', () => {
        target = text;
        response.end();
      });
      return;
    }
    if (target === '') {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"This test has no model server."}}');
      return;
    }
    const { method, headers } = request;
    const passed = http.request(`${target}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    // A run that is stopped leaves its call.
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  })
  .listen(Number(process.argv[2]), '127.0.0.1');
