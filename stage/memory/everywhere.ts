import { type Answers, ofCall } from './backend';

/** The services that the frame of every page asks, the command palette among them. */
export const everywhere: Answers = {
  'GET /api/v1/pending': () => ({ open: 0, items: [], next: null }),
  'GET /api/v1/notices/unread': () => ({ unread: 0 }),
  'GET /api/v1/projects': ofCall(({ query }) => {
    const found = ['Desk', 'Office', 'Weather'].filter((name) => name.toLowerCase().includes(query.text ?? ''));
    return { projects: found.map((name) => ({ id: name.toLowerCase(), name })), total: found.length };
  }),
};
