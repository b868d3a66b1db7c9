# Reads the chains of a posterior folder as R users do, and prints one line a quantity:
# name, number of draws, mean, rhat, bulk ess.
suppressMessages(library(posterior))
folder <- commandArgs(trailingOnly = TRUE)[[1]]
files <- sort(list.files(folder, pattern = "^chain_[0-9]+\\.csv$", full.names = TRUE))
chains <- lapply(files, function(file) {
  as_draws_df(read.csv(file, comment.char = "#", check.names = FALSE))
})
draws <- do.call(bind_draws, c(chains, along = "chain"))
stopifnot(nchains(draws) == length(files))
table <- summarise_draws(draws, "mean", "rhat", "ess_bulk")
cat(sprintf("%s\t%d\t%.15g\t%.15g\t%.15g\n", table$variable, ndraws(draws), as.numeric(table$mean),
            as.numeric(table$rhat), as.numeric(table$ess_bulk)), sep = "")
