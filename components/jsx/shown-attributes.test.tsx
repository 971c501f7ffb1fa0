import { readdirSync, readFileSync } from 'node:fs';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';

/* No tooltip and no name for a screen reader hides a character: JSX itself writes them out. */

const name = 'safe\u202ednet\u202c\u200b.md';
const written = 'safe\\u{202e}dnet\\u{202c}\\u{200b}.md';

function Named(props: { readonly 'aria-label': string; readonly title: string }) {
  return <i data-is={props['aria-label'] === written && props.title === name}>{props.title}</i>;
}

test('attributes that people read or hear write out what nobody sees', () => {
  const { container } = render(
    <div title={`${name}\nsecond line`}>
      <input type="image" alt={name} className="picture" />
      <input className="name" aria-label={`Name of ${name}`} placeholder={name} defaultValue={name} />
      {[name].map((each) => (
        <b key={each} title={each}>
          {each}
        </b>
      ))}
    </div>,
  );
  const of = (selector: string) => container.querySelector<HTMLInputElement>(selector);
  expect(of('div')?.title).toBe(`${written}\nsecond line`);
  expect(of('.picture')?.getAttribute('alt')).toBe(written);
  expect([of('.name')?.getAttribute('aria-label'), of('.name')?.placeholder]).toEqual([`Name of ${written}`, written]);
  expect([of('b')?.title, of('b')?.textContent, of('.name')?.value]).toEqual([written, name, name]);
});

test('a component is given its title as it is, because it may be the value of a field', () => {
  const { container } = render(<Named aria-label={name} title={name} />);
  expect(container.querySelector('i')?.dataset.is).toBe('true');
});

test('texts of other languages and emoji stay as they are', () => {
  const text = 'Zoë · 名前 · שלום · ❤️ · na\u00efve';
  const { container } = render(<p title={text}>x</p>);
  expect(container.querySelector('p')?.title).toBe(text);
});

test('every element of the app is made so', () => {
  const files = ['app', 'components'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
      .map((file) => `${folder}/${file}`),
  );
  const past = files.filter((file) =>
    /@jsx|(?<!document\.)\b(?:create|clone)Element\(/.test(readFileSync(file, 'utf8')),
  );
  expect(past).toEqual([]);
});
