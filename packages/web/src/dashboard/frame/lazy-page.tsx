/** Pages whose script loads at the first visit, in the dashboard and the console. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/controls.tsx";
import { words } from "../words.ts";
import { Loading, Page } from "./page.tsx";

type Screen<Props> = (props: Props) => ComponentChildren;

/** Loads a page's script at the first visit, because most visits need only a few pages. */
export function lazyPage<Props extends object>(load: () => Promise<Screen<Props>>): Screen<Props> {
  let loaded: Screen<Props> | null = null;
  return function LazyPage(props: Props) {
    const [isLost, setLost] = useState(false);
    const [isHere, setHere] = useState(loaded !== null);
    useEffect(() => {
      if (loaded !== null) return;
      load().then(
        (screen) => {
          loaded = screen;
          setHere(true);
        },
        () => setLost(true),
      );
    }, []);
    if (isLost) return <LostPage />;
    const Here = isHere ? loaded : null;
    return Here === null ? <Loading /> : <Here {...props} />;
  };
}

/**
 * Shown if a page's script fails to load, because of the connection or an update of the service. A reload gets the new
 * script.
 */
function LostPage() {
  return (
    <Page name="lost" title={words.lostTitle}>
      <Notice kind="bad">{words.lostLead}</Notice>
      <Button label={words.tryAgain} look="main" onClick={() => window.location.reload()} />
    </Page>
  );
}
