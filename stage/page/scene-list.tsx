import { type Screen, sceneId } from '@/stage/scene';

/** Lists every screen with its scenes, in light, dark, narrow and from right to left. */
export function SceneList({ screens }: { readonly screens: readonly Screen[] }) {
  return (
    <main className="mx-auto flex max-w-5xl flex-col gap-6 p-6">
      <h1 className="font-semibold text-ink text-xl">Scenes</h1>
      {screens.map((screen) => (
        <section key={screen.id} className="flex flex-col gap-1">
          <h2 className="font-medium text-muted text-sm">{screen.title}</h2>
          <ul className="flex flex-wrap gap-2">
            {screen.scenes.map((scene) => {
              const id = sceneId(screen, scene);
              return (
                <li key={id} className="rounded border bg-surface px-2 py-1 text-sm">
                  <a className="text-accent" href={`/?scene=${id}`}>
                    {scene.name}
                  </a>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
    </main>
  );
}
