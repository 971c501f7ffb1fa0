import { renderToReadableStream, renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { later } from './later';

async function drawn(element: React.ReactNode): Promise<string> {
  const stream = await renderToReadableStream(element);
  await stream.allReady;
  return await new Response(stream).text();
}

function Greeting({ name }: { readonly name: string }) {
  return <p>Hello {name}</p>;
}

const gone = () => Promise.reject(new Error('Loading chunk 12 failed'));

it('shows a part when its code is there', async () => {
  const Part = later(async () => Greeting);
  expect(await drawn(<Part name="Ada" />)).toContain('Ada</p>');
});

it('asks to reload, in the place of a part whose code is gone', async () => {
  const Part = later<{ name: string }>(gone);
  expect(await drawn(<Part name="Ada" />)).toMatch(/could not be loaded.*Reload the page/);
});

it('leaves what stood there in the place of a menu whose code is gone', async () => {
  const Part = later<{ name: string }>(gone, ({ name }) => <button type="button">{name}</button>);
  const page = await drawn(<Part name="Ada" />);
  expect(page).toContain('Ada</button>');
  expect(page).not.toContain('could not be loaded');
});

it('loads ahead without a failure, and tries again when the part is shown', async () => {
  let tries = 0;
  const Part = later(async () => {
    tries++;
    if (tries === 1) throw new Error('offline');
    return Greeting;
  });
  Part.load();
  expect(await drawn(<Part name="Ada" />)).toContain('Ada</p>');
  expect(tries).toBe(2);
});

it('draws a part that was loaded before at once', async () => {
  const Part = later(async () => Greeting);
  Part.load();
  await vi.waitFor(() => expect(renderToStaticMarkup(<Part name="Ada" />)).toContain('Ada</p>'));
});

it('tries again when it is opened again', async () => {
  let tries = 0;
  const Part = later(async () => {
    tries++;
    if (tries === 1) throw new Error('offline');
    return Greeting;
  }, null);
  expect(await drawn(<Part name="Ada" />)).not.toContain('Ada');
  expect(await drawn(<Part name="Ada" />)).toContain('Ada</p>');
});

it('has the same HTML from a server that has loaded it before', async () => {
  const Part = later(async () => Greeting);
  const first = await drawn(<Part name="Ada" />);
  expect(await drawn(<Part name="Ada" />)).toBe(first);
  expect(first).toContain('<!--$-->');
});
