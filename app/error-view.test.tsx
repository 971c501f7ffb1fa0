import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AppError } from '@/lib/base/app-error';
import { ErrorView } from './error-view';

const shown = (error: Error & { digest?: string }) =>
  renderToStaticMarkup(<ErrorView error={error} retry={() => {}} />).replaceAll('&#x27;', "'");

test('a page that cannot be shown says why, if people can do something about it', () => {
  const large = shown(new AppError('too_large', "Reading this folder took longer than 5 seconds. Split 'a.md'."));
  expect(large).toContain("Reading this folder took longer than 5 seconds. Split 'a.md'.");
  expect(large).not.toContain('log');
  expect(shown(new AppError('too_many', 'You have 50 folders that wait to be read.'))).toContain('You have 50 folders');
});

test('an outage says that the page tries again, and of a bug only its place in the log is shown', () => {
  const outage = shown(new AppError('unavailable', 'The database cannot be reached.'));
  expect(outage).toContain('The database cannot be reached.');
  expect(outage).toContain('tries again by itself');
  const bug = shown(Object.assign(new TypeError('secret detail'), { digest: '3141592653' }));
  expect(bug).toContain("look in the server's log for 3141592653");
  expect(bug).not.toContain('secret');
});
