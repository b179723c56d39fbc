import "../ui/tokens.css";
import "../ui/base.css";
import "./stage.css";
import "./phone.css";
import { render } from "preact";
import { Stage } from "./stage.tsx";

const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren();
  render(<Stage />, root);
}
