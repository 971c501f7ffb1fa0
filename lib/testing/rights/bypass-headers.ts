const five = (name: string) => Array.from({ length: 5 }, () => name).join(':');

/** Headers by which Next, proxies and other frameworks tell themselves that a request was checked, or that another address was meant. */
export const bypassHeaders: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'x-middleware-subrequest': five('proxy') },
  { 'x-middleware-subrequest': five('src/middleware') },
  { 'x-middleware-subrequest': five('middleware'), 'x-middleware-subrequest-id': '1' },
  {
    'x-middleware-next': '1',
    'x-middleware-override-headers': 'authorization',
    'x-middleware-request-authorization': 'Bearer x',
  },
  { 'x-middleware-rewrite': '/api/health' },
  { 'x-invoke-path': '/api/health', 'x-invoke-output': '/api/health', 'x-matched-path': '/api/health' },
  { 'x-original-url': '/api/health', 'x-rewrite-url': '/api/health' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1;host=localhost' },
  { 'x-nextjs-data': '1', 'x-nextjs-prerender': '1', 'x-prerender-revalidate': '1' },
  { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' },
  { 'next-action': '0'.repeat(41), 'content-type': 'text/plain' },
  { 'x-http-method-override': 'GET', 'x-user': 'admin', 'x-forwarded-user': 'admin', 'x-remote-user': 'admin' },
  { authorization: 'Bearer null' },
  { authorization: 'Bearer undefined' },
  { authorization: 'Bearer ' },
  { authorization: 'Basic Og==' },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.' },
];
