import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import type { Root } from 'react-dom/client';
import { KeyServicesProvider } from '@/app/key-services';
import { PeopleServicesProvider } from '@/app/people-services';
import { Providers } from '@/components/shell/providers';
import { Shell } from '@/components/shell/shell';
import { placeNeeds } from '@/lib/client/app-places';
import { serveScene, takeOverNetwork, trouble } from '@/stage/memory/backend';
import { everywhere } from '@/stage/memory/everywhere';
import { sceneId } from '@/stage/scene';
import { screens } from '@/stage/scenes/screens';

/** Shows a scene in the frame of the app, with its services in memory. */
export async function mount(root: Root, id: string, isNew: boolean): Promise<void> {
  const [first] = id.split('/');
  const screen = await screens.find((each) => each.id === first)?.load();
  const scene = screen?.scenes.find((each) => sceneId(screen, each) === id);
  if (scene === undefined) throw new Error(`There is no scene '${id}'`);
  if (isNew) history.replaceState(null, '', scene.path);
  takeOverNetwork();
  const { screen: content, answers } = await scene.open();
  serveScene({ ...everywhere, ...answers });
  for (const service of scene.never ?? []) trouble(service, { kind: 'late' });
  root.render(
    <StrictMode>
      <Frame isBare={scene.isBare === true}>{content}</Frame>
    </StrictMode>,
  );
}

function Frame({ isBare, children }: { readonly isBare: boolean; readonly children: ReactNode }) {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const refresh = () => setRound((before) => before + 1);
    window.addEventListener('stage-refresh', refresh);
    return () => window.removeEventListener('stage-refresh', refresh);
  }, []);
  const shown = (
    <div key={round} className="contents">
      {children}
    </div>
  );
  return (
    <Providers prices={[]}>
      <PeopleServicesProvider>
        <KeyServicesProvider everywhere>
          {isBare ? (
            shown
          ) : (
            <Shell person={undefined} met={placeNeeds}>
              {shown}
            </Shell>
          )}
        </KeyServicesProvider>
      </PeopleServicesProvider>
    </Providers>
  );
}
