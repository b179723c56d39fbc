/** A brand's page in React, which the test bundles. StrictMode mounts everything twice. */
import { createElement, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { CountersignFrame } from "../react.ts";

declare global {
  interface Window {
    begin(walletUrl: string): void;
    again(sessionKey: string): void;
    end(): void;
    said: unknown[];
  }
}

window.begin = (walletUrl) => {
  const Page = () => {
    const [sessionKey, setSessionKey] = useState("first");
    const [count, setCount] = useState(0);
    window.again = setSessionKey;
    return createElement(CountersignFrame, {
      sessionKey,
      walletUrl,
      className: "signup",
      onResult: ({ type }) => window.said.push(["result", sessionKey, type, count]),
      onError: ({ reason }) => window.said.push(["error", reason]),
      onEvent: ({ type }) => {
        window.said.push(["event", type, count]);
        setCount(count + 1);
      },
    });
  };
  const place = document.querySelector("#place");
  if (place === null) throw new Error("the page has no #place element");
  const root = createRoot(place);
  window.end = () => root.unmount();
  root.render(createElement(StrictMode, null, createElement(Page)));
};
