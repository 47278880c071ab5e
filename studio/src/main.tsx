import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { readTheme, showTheme } from "./app/theme.ts";
import { startWords } from "./words/words.ts";
import "./style.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
showTheme(readTheme());
await startWords();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
