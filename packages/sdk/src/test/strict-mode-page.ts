/** Brands' pages in React, which the test bundles. StrictMode mounts everything twice. */
import { createElement, type FunctionComponent, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { CountersignFrame, type UseCountersignOptions, useCountersign } from "../react.ts";

declare global {
  interface Window {
    begin(walletUrl: string, page: keyof typeof pages): void;
    again(sessionKey: string | undefined): void;
    hide(isHidden: boolean): void;
    end(): void;
    said: unknown[];
  }
}

function useOptions(walletUrl: string, first: string | undefined): UseCountersignOptions {
  const [sessionKey, setSessionKey] = useState(first);
  const [count, setCount] = useState(0);
  window.again = setSessionKey;
  return {
    sessionKey,
    walletUrl,
    locale: "es",
    onResult: ({ type }) => window.said.push(["result", type, count]),
    onError: ({ reason }) => window.said.push(["error", reason]),
    onEvent: ({ type }) => {
      window.said.push(["event", type, count]);
      setCount(count + 1);
    },
  };
}

type Page = FunctionComponent<{ walletUrl: string }>;
const WithComponent: Page = ({ walletUrl }) =>
  createElement(CountersignFrame, {
    ...useOptions(walletUrl, "11111111-3d1c-4a7e-8a55-6c0d6e5b7f21"),
    className: "signup",
  });
const WithHook: Page = ({ walletUrl }) => {
  const [isHidden, hide] = useState(false);
  window.hide = hide;
  const place = useCountersign(useOptions(walletUrl, undefined));
  return isHidden ? null : createElement("section", { ref: place });
};
const pages = { WithComponent, WithHook };

window.begin = (walletUrl, page) => {
  const place = document.querySelector("#place");
  if (place === null) throw new Error("the page has no #place element");
  const root = createRoot(place);
  window.end = () => root.unmount();
  root.render(createElement(StrictMode, null, createElement(pages[page], { walletUrl })));
};
