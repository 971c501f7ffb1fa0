import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { VisibleText } from '@/components/ui/visible-text';

const mostLines = 6;
const mostCharacters = 400;

/** Shows a value among others. A long one begins cut, says so, and is shown whole on request. */
export function WholeValue({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const beginning = beginningOf(text);
  if (isWhole || beginning.length === text.length) return <VisibleText text={text} />;
  return (
    <>
      <VisibleText text={`${beginning}…`} />
      <Button size="sm" variant="ghost" className="mt-1 block" onClick={() => setIsWhole(true)}>
        Show all {text.length.toLocaleString('en-US')} characters
      </Button>
    </>
  );
}

function beginningOf(text: string): string {
  const characters = [...text.slice(0, 2 * mostCharacters)].slice(0, mostCharacters).join('');
  return characters.split('\n').slice(0, mostLines).join('\n');
}
